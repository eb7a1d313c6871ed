"""What a list of mounts says about a path."""

import pytest

from drumline.team.volume import judged, kind_of, mounts

pytestmark = pytest.mark.requirement("AUDIT-05")

MOUNTINFO = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 27 0:40 / /home rw,relatime shared:5 master:1 - nfs4 server:/home rw,vers=4.2
31 30 0:41 / /home/ada/cloud rw,nosuid - fuse.sshfs ada@host:/ rw
32 27 0:42 / /mnt/my\040share rw - cifs //server/share rw
33 27 0:43 / /mnt/c rw - 9p drvfs rw
34 27 0:44 / /var/lib/docker/overlay rw - overlay overlay rw,lowerdir=/a - b
35 27 0:45 / /cache rw - nfs server:/cache rw
36 35 0:46 / /cache rw - tmpfs tmpfs rw
37 27 0:47 / /media/stick rw - fuseblk /dev/sdb1 rw
broken line
38 27 0:48 / - nothing
"""


@pytest.mark.parametrize(
    ("path", "kind", "local"),
    [
        ("/work/repo", "ext4", True),
        ("/home", "nfs4", False),
        ("/home/ada/repo", "nfs4", False),
        ("/home/ada/cloud/repo", "fuse.sshfs", False),
        ("/homestead", "ext4", True),
        ("/mnt/my share/repo", "cifs", False),
        ("/mnt/c/repo", "9p", False),
        ("/var/lib/docker/overlay/repo", "overlay", True),
        ("/cache/repo", "tmpfs", True),
        ("/media/stick", "fuseblk", False),
        ("/", "ext4", True),
    ],
)
def test_a_path_lies_on_the_nearest_and_latest_mount(path, kind, local):
    found = kind_of(path, mounts(MOUNTINFO))
    assert (found, judged(found).local) == (kind, local)


def test_a_volume_of_others_says_why_it_is_not_trusted():
    assert "lock" in judged("nfs").why
    assert judged("ext4").why == ""


def test_without_a_list_of_mounts_nothing_is_claimed():
    assert kind_of("/work", mounts("")) == "unknown"
    assert judged("unknown").local
