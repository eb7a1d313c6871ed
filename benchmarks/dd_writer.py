"""A writer of hook events as one first thinks of it: bounded by `dd` with one block.

It reads once from the pipe: what has not arrived by then is cut off, and nobody is told.
"""

SCRIPT = r"""#!/bin/sh
set +e
spool_root="$1"
provider="$2"
max_bytes="${3:-262144}"
if [ -z "$spool_root" ] || [ -z "$provider" ]; then
  exit 0
fi
case "$provider" in
  claude|codex) ;;
  *) exit 0 ;;
esac
incoming="$spool_root/incoming"
mkdir -p "$incoming" 2>/dev/null || exit 0
stamp="$(date -u +%Y%m%dT%H%M%SZ 2>/dev/null || echo unknown-time)"
tmp="$(mktemp "$incoming/.turn-settled.XXXXXX" 2>/dev/null)" || exit 0
suffix="$(basename "$tmp" | sed 's/^\.turn-settled\.//')"
final="$incoming/$stamp-$$-$suffix.$provider.json"
dd bs="$max_bytes" count=1 of="$tmp" 2>/dev/null || {
  rm -f "$tmp" 2>/dev/null
  exit 0
}
if [ ! -s "$tmp" ]; then
  rm -f "$tmp" 2>/dev/null
  exit 0
fi
mv "$tmp" "$final" 2>/dev/null || {
  rm -f "$tmp" 2>/dev/null
  exit 0
}
exit 0
"""
