#!/bin/sh
# sh turn_settled.sh SPOOL PROVIDER [MAX_BYTES]: keeps the event of a turn that ended, given on stdin.
#
# An agent CLI runs this as a hook. Whatever happens it says nothing and leaves with 0, so that no turn
# ever depends on it. It reads no JSON and does not know whose turn it was: whoever drains the spool finds
# out, and takes what the environment says only for a hint. An event that is too long is not cut: a note
# that there was one takes its place.

exec >/dev/null 2>&1
trap '' HUP INT TERM # what ends a session must not cut short what it said last
umask 077
LC_ALL=C PATH=/usr/bin:/bin:$PATH
export LC_ALL PATH

spool=$1 provider=$2 most=${3:-262144}
case $spool in /*) ;; *) exit 0 ;; esac
case $provider in '' | *[!a-z0-9-]* | ????????????????????????????????*) exit 0 ;; esac
case $most in *[!0-9]* | 0* | ??????????*) most=262144 ;; esac

incoming=$spool/incoming
[ -d "$incoming" ] || mkdir "$spool" "$incoming" # and never what lies above: that may be gone for good
read -r unique </proc/sys/kernel/random/uuid || unique=$PPID
name=$$-$unique
unfinished=$spool/.turn-$name

leave() {
    rm -f "$unfinished"
    exit 0
}

head -c $((most + 1)) >"$unfinished" || leave # a part of an event is worse than none
[ -s "$unfinished" ] || leave

if [ "$(exec wc -c <"$unfinished")" -gt "$most" ]; then
    head -c 67108864 # whoever writes to us is let finish, within reason
    : >"$unfinished" || leave
    name=oversize-$name
else
    team=${DRUMLINE_TEAM-${LOA_TEAM_ID-}}
    member=${DRUMLINE_MEMBER-${LOA_TEAM_MEMBER-}}
    life=${DRUMLINE_INCARNATION-}
    case $team$member$life in
    '' | *[!A-Za-z0-9._-]*) ;;
    *)
        hint='\n{"drumline":{"team":"%.64s","member":"%.64s","life":"%.18s"}}\n'
        printf "$hint" "$team" "$member" "$life" >>"$unfinished" || leave
        ;;
    esac
    stamp=$(date -u +%Y%m%dT%H%M%SZ) || stamp=00000000T000000Z
    name=$stamp-$name
fi
mv -f "$unfinished" "$incoming/$name.$provider.json" || leave
exit 0
