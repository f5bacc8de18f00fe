/** Commands of `runpodctl`, which has its addresses from variables and answers in JSON; the older ones answer in tables. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { assert, report, until, variable } from './report.mjs';

const env = {
  HOME: variable('HOME'),
  RUNPOD_API_KEY: variable('KEY'),
  RUNPOD_API_URL: `${variable('ADDRESS')}/v1`,
  RUNPOD_GRAPHQL_URL: `${variable('ADDRESS')}/graphql`,
};
const start = async (args, variables = {}) =>
  (await promisify(execFile)(variable('RUNPODCTL'), args, { env: { ...env, ...variables } })).stdout;
/** `line`: words without spaces; `more`: any others. */
const text = (line, ...more) => start([...line.split(' '), ...more]);
const json = async (line, ...more) => JSON.parse(await text(line, ...more));
const ids = (list) => list.map(({ id }) => id);

const STAYS = `sh -c "trap 'exit 0' TERM; while :; do sleep 0.1; done"`;
const image = variable('IMAGE');
const podOf = (name) => ['--name', name, '--image', image, '--docker-args', STAYS];
const makePod = (name, ...more) => json('pod create --compute-type cpu --ports 22/tcp', ...podOf(name), ...more);
const running = (id) =>
  until(
    () => json(`pod get ${id}`),
    ({ ssh }) => Boolean(ssh?.ssh_command),
  );

async function lifeOfPod() {
  const { id } = await makePod('life');
  assert.deepEqual(ids(await json('pod list --all')), [id]);
  await running(id);
  assert.equal((await json(`pod update ${id} --name other`)).name, 'other');
  await json(`pod stop ${id}`);
  assert.equal((await json(`pod get ${id}`)).desiredStatus, 'EXITED');
  await json(`pod start ${id}`);
  await running(id);
  await json(`pod restart ${id}`);
  await json(`pod reset ${id}`);
  assert.equal((await json(`pod get ${id}`)).desiredStatus, 'RUNNING');
  await json(`pod delete ${id}`);
  assert.deepEqual(await json('pod list --all'), []);
}

async function sshInfo() {
  const { id } = await makePod('reached');
  await running(id);
  const { ssh_command: command } = await json(`ssh info ${id}`);
  assert.match(command, /^ssh .*root@127\.0\.0\.1/);
  await json(`pod delete ${id}`);
}

async function template() {
  const { id } = await json('template create --name t --ports 22/tcp --readme Read --image', image);
  const [listed] = (await json('template list --type user')).filter((one) => one.id === id);
  assert.equal(listed?.name, 't');
  assert.equal((await json(`template get ${id}`)).imageName, image);
  assert.equal((await json(`template update ${id} --name u`)).name, 'u');
  await json(`template delete ${id}`);
  await assert.rejects(json(`template get ${id}`), /not found/);
}

async function serverless() {
  const made = await json('template create --name s --serverless --image', image);
  const { id } = await json(
    `serverless create --name endpoint --compute-type CPU --workers-max 0 --template-id ${made.id}`,
  );
  assert(ids(await json('serverless list')).includes(id));
  assert.equal((await json(`serverless get ${id}`)).templateId, made.id);
  await json(`serverless update ${id} --idle-timeout 30`);
  assert.equal((await json(`serverless get ${id}`)).idleTimeout, 30);
  await json(`serverless delete ${id}`);
  await json(`template delete ${made.id}`);
}

async function volume() {
  const { id } = await json('network-volume create --name v --size 10 --data-center-id EU-RO-1');
  assert.deepEqual(ids(await json('network-volume list')), [id]);
  assert.equal((await json(`network-volume update ${id} --size 20`)).size, 20);
  assert.equal((await json(`network-volume get ${id}`)).size, 20);
  await json(`network-volume delete ${id}`);
  assert.deepEqual(await json('network-volume list'), []);
}

async function registry() {
  const { id } = await json('registry create --name r --username person --password secret');
  assert.deepEqual(ids(await json('registry list')), [id]);
  assert.equal((await json(`registry get ${id}`)).name, 'r');
  await json(`registry delete ${id}`);
  assert.deepEqual(await json('registry list'), []);
}

async function sshKeys() {
  const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIJ2sR6Nfsgm0oVwWqcGXPYLmAHMTTmBmnMQcVZKRZSQC';
  await text('ssh add-key --key', `ssh-ed25519 ${key} me@host`);
  const added = (await json('ssh list-keys')).keys.find((one) => JSON.stringify(one).includes('me@host'));
  assert(added);
  await text(`ssh remove-key --fingerprint ${added.fingerprint}`);
  assert.doesNotMatch(await text('ssh list-keys'), /me@host/);
}

async function olderPod() {
  const words = '--computeType CPU --mem 1 --volumeSize 1 --name older --imageName';
  const id = /pod "(\w+)" created/.exec(await text(`create pod ${words}`, image, '--args', STAYS))?.[1];
  assert.match(await text(`get pod ${id}`), /older/);
  await text(`stop pod ${id}`);
  assert.match(await text(`get pod ${id}`), /EXITED/);
  await text(`start pod ${id}`);
  assert.match(await text(`get pod ${id}`), /RUNNING/);
  await text(`remove pod ${id}`);
  assert.doesNotMatch(await text('get pod'), /older/);
}

await report({
  user: async () => assert((await json('user')).id),
  'an error for a wrong key': async () => {
    await assert.rejects(start(['user'], { RUNPOD_API_KEY: 'rpa_wrong' }), /401|[Uu]nauthorized/);
  },
  doctor: async () => {
    // The first time it makes a key, and says so before the JSON.
    await text('doctor');
    assert.equal((await json('doctor')).healthy, true);
  },
  'gpu list': async () => assert((await json('gpu list')).length > 0),
  'datacenter list': async () => assert.deepEqual(ids(await json('datacenter list')), ['LOCAL-1']),
  'template create, list, get, update, delete': template,
  'serverless create, list, get, update, delete': serverless,
  'network-volume create, list, get, update, delete': volume,
  'registry create, list, get, delete': registry,
  'ssh add-key, list-keys, remove-key': sshKeys,
  'billing pods, serverless, network-volume': async () => {
    for (const of of ['pods', 'serverless', 'network-volume']) assert(Array.isArray(await json(`billing ${of}`)));
  },
  'pod list --output yaml': async () => assert.equal((await text('pod list --output yaml')).trim(), '[]'),
  'get cloud': async () => assert.match(await text('get cloud'), /GPU TYPE[^]*CPU/),
  'get pod': async () => assert.match(await text('get pod'), /ID\s+NAME/),
  'pod create, list, get, update, stop, start, restart, reset, delete': lifeOfPod,
  'ssh info': sshInfo,
  'create, get, stop, start, remove pod': olderPod,
});
