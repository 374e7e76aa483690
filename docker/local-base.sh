#!/bin/sh
# Makes the image `localhost/node-base` from this machine's own Node, for a check of docker/Dockerfile where no registry with
# base images can be reached. Needs buildah and root. Nothing of it is meant to be shipped.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
copy() { mkdir -p "$root$(dirname "$1")" && cp -aL "$1" "$root$1"; }

for program in node sh env find mv mkdir test chown; do
  path=$(command -v "$program" || true)
  [ -x "${path:-}" ] || path=/usr/bin/$program
  copy "$path"
  ldd "$path" | grep -o '/[^ ]*' | while read -r library; do copy "$library"; done
done
# The rest of the C library, which packages with native code ask for.
libc=$(dirname "$(ldd "$(command -v node)" | grep -o '/[^ ]*/libc\.so\.6')")
for name in librt.so.1 libpthread.so.0 libdl.so.2 libm.so.6; do copy "$libc/$name"; done

npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/usr/local/lib" "$root/usr/local/bin" "$root/etc/ssl/certs" "$root/tmp" "$root/root"
cp -a "$npm" "$root/usr/local/lib/npm"
printf '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n' > "$root/usr/local/bin/npm"
chmod 755 "$root/usr/local/bin/npm" && chmod 1777 "$root/tmp"
[ -e "$root/bin/sh" ] || { mkdir -p "$root/bin" && cp -aL /bin/sh "$root/bin/sh"; }
cp -aL /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
# The registry that this machine uses, when it is not the public one: for the build only.
cp /etc/hosts "$root/etc/hosts" && printf 'root:x:0:0::/root:/bin/sh\n' > "$root/etc/passwd" && printf 'root:x:0:\n' > "$root/etc/group"

container=$(buildah from scratch)
buildah copy --quiet "$container" "$root" / > /dev/null
buildah config --env PATH=/usr/local/bin:/usr/bin:/bin --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
buildah commit --quiet "$container" localhost/node-base > /dev/null
buildah rm "$container" > /dev/null
echo 'made localhost/node-base'
