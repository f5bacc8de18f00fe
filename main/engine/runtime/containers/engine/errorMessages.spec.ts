import { expect, test } from 'vitest';
import { startFailure, type StartContext } from './errorMessages.ts';

const pull: StartContext = {
  phase: 'pull',
  image: 'box:5000/me/image:1',
  credentials: false,
  engine: 'Docker',
  of: 'template',
};
const start: StartContext = { ...pull, phase: 'start' };

test.each<[engineError: string, wanted: StartContext, explanation: RegExp]>([
  [
    'Get "https://box:5000/v2/": dial tcp: lookup box: no such host',
    pull,
    /its registry box:5000 could not be reached/,
  ],
  ['Head "http://box:5000/v2/me/image": no basic auth credentials', pull, /make a container registry auth/],
  [
    'unauthorized: authentication required',
    { ...pull, credentials: true },
    /refused the credentials of the template.*Check the container registry auth/,
  ],
  ['manifest for box:5000/me/image:1 not found: manifest unknown', pull, /There is no image .*imageName/],
  ['no matching manifest for linux/arm64 in the manifest list entries', pull, /not made for this kind of processor/],
  [
    'no matching manifest for linux/arm64 in the manifest list entries: no match for platform in manifest: not found',
    pull,
    /not made for this kind of processor/,
  ],
  [
    'failed to register layer: write /model.bin: no space left on device',
    pull,
    /no room on the disk.*docker system prune/,
  ],
  [
    'toomanyrequests: You have reached your unauthenticated pull rate limit',
    { ...pull, image: 'me/image' },
    /takes no more pulls.*container registry auth/,
  ],
  ['something new', pull, /Docker could not pull the image box:5000\/me\/image:1: something new\./],
  [
    'OCI runtime create failed: exec: "serve": executable file not found in $PATH: unknown',
    start,
    /^The program "serve" is not in the image \S+\. Check dockerEntrypoint and dockerStartCmd of the template\.$/,
  ],
  [
    'OCI runtime create failed: runc create failed: exec: "/bin/bash": stat /bin/bash: no such file or directory: unknown',
    { ...start, of: 'Pod' },
    /^The program "\/bin\/bash" is not in the image \S+\. Check .* of the Pod\.$/,
  ],
  ['crun: executable file `serve` not found in $PATH: No such file or directory', start, /^The program "serve" is/],
  [
    'OCI runtime create failed: exec: "/etc/passwd": permission denied: unknown',
    start,
    /cannot be executed.*that the file may be executed/,
  ],
  ['exec /bin/sh: exec format error', start, /not made for this kind of processor/],
  ['could not select device driver "" with capabilities: [[gpu]]', start, /NVIDIA Container Toolkit/],
  ['No command specified', start, /Give the template a dockerStartCmd/],
  ['No command specified', { ...start, of: 'Pod' }, /Give the Pod a dockerStartCmd/],
  ['Mounts denied: the path /home/me/models is not shared from the host', start, /Share it in the settings of Docker/],
  ['something new', start, /Docker could not start a container of box:5000\/me\/image:1: something new\./],
])('a start that fails is explained to a person where the engine says: %s', (engineError, wanted, explanation) => {
  expect(startFailure(new Error(`(HTTP code 500) server error - ${engineError}. `), wanted)).toMatch(explanation);
});
