#!/bin/sh
# Runs the installed Hangar from the folder of its own version, which stays while a Hangar runs from it.
program=$(readlink -f /usr/lib/hangar/current) && [ -x "$program/bin/node" ] || {
	echo 'hangar: the package is unpacked but not set up yet. Run: sudo dpkg --configure hangar' >&2
	exit 1
}
exec "$program/bin/node" "$program/bin/hangar.mjs" "$@"
