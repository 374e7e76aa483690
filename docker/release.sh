#!/bin/sh
# release.sh <base image> <version> <revision>: whether an image may carry a version. A build without one is for trying and may
# use any base; a release says exactly what it was made of. The Dockerfile asks before it builds.
set -eu
base=$1 version=$2 revision=$3
[ "$version" = 0.0.0 ] && exit 0
refuse() { echo "$1" >&2; exit 1; }
digest=${base##*@sha256:}
case "$digest" in *[!0-9a-f]*) digest= ;; esac
[ "${#digest}" = 64 ] || refuse "VERSION=$version is a release: name the base by its content, --build-arg BASE_IMAGE=node:24-bookworm-slim@sha256:<64 hex digits>"
case "$revision" in unknown | *[!0-9a-f]*) refuse "VERSION=$version is a release: say of which commit, --build-arg REVISION=\$(git rev-parse HEAD)" ;; esac
[ "${#revision}" = 40 ] || refuse "VERSION=$version is a release: REVISION is a whole commit id of 40 hex digits"
