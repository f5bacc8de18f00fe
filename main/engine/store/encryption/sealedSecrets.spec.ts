/**
 * Secrets of templates, Pods and jobs are encrypted on disk. When the key is missing, they are reported and never lost.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { templateDefaults, type Template } from '#contract/api/resources.ts';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { injectFaults, SQLITE, type Disk } from '../../../../test/support/disk/failingStatements.ts';
import { podRecordOf } from '../../../../test/support/pods/podRecord.ts';
import { holds } from '../../../../test/support/disk/secretsInFiles.ts';
import { jobRecord } from '../../../../test/support/jobs/jobRecord.ts';
import type { PodRecord } from '../../domain/pods/podInterfaces.ts';
import { requireReadable, UNREADABLE_ENV } from '../../domain/resources/unreadableEnv.ts';
import { UNREADABLE_URL, type WebhookRecord } from '../../domain/webhooks/delivery.ts';
import { openDatabase } from '../sqlite/database.ts';
import { folderKey, readFolderKey } from './folderKey.ts';
import { createGroupCommit } from '../sqlite/groupCommit.ts';
import { createDamagedRecords } from '../repositories/damagedRecords.ts';
import { createJobStore } from '../repositories/jobs.ts';
import { createPodStore, createResourceStore } from '../repositories/resources.ts';
import { sealOpenTexts } from './sealedText.ts';
import { createSealing } from './encryption.ts';
import { createTextFiles } from '../payloads/payloadFiles.ts';
import { createUnreadable } from './unreadable.ts';
import { createWebhookStore } from '../repositories/webhooks.ts';

const SECRET = 'hf-token-7f3a9c2e51';
const KEY = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);

let dir: string;
let open: DatabaseSync[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-sealed-'));
  open = [];
});
afterEach(() => {
  for (const database of open) if (database.isOpen) database.close();
  rmSync(dir, { recursive: true });
});

function start(key: Uint8Array = KEY, older: readonly Uint8Array[] = []) {
  for (const database of open) if (database.isOpen) database.close();
  const database = openDatabase(dir);
  open.push(database);
  const commits = createGroupCommit(database, silentLogger);
  const sealing = createSealing(key, older);
  const unreadable = createUnreadable();
  const damaged = createDamagedRecords(silentLogger);
  const files = createTextFiles(join(dir, 'blobs'), sealing, silentLogger);
  return {
    database,
    commits,
    unreadable,
    sealing,
    resources: createResourceStore(database, { sealing, unreadable, damaged }),
    pods: createPodStore(database, { sealing, unreadable, damaged }),
    jobs: createJobStore(database, commits, { sealing, lasting: sealing, unreadable }, files),
    webhooks: createWebhookStore(database, commits, files, { lasting: sealing, unreadable, damaged }),
    damaged,
  };
}

const template = (env: Record<string, string>): Template => ({
  ...templateDefaults,
  id: 't',
  name: 'mine',
  imageName: 'image',
  env,
});
const pod = (env: Record<string, string>): PodRecord => ({ ...podRecordOf('p', 'RUNNING'), name: 'box', env });

/** Whether a file of the folder contains the secret after everything is closed. */
function isInFiles(): boolean {
  for (const database of open) if (database.isOpen) database.close();
  return readdirSync(dir).some((name) => name.startsWith('engine.db') && holds(readFileSync(join(dir, name)), SECRET));
}

describe('the variables of templates and Pods', () => {
  test('come back as they were, and are in no file in plain text', () => {
    const { resources, pods } = start();
    resources.saveTemplate(template({ HF_TOKEN: SECRET, B: 'b' }));
    pods.save(pod({ HF_TOKEN: SECRET }));
    expect(isInFiles()).toBe(false);
    const again = start();
    expect(again.resources.loadTemplates()).toEqual([template({ HF_TOKEN: SECRET, B: 'b' })]);
    expect(again.pods.load()).toEqual([pod({ HF_TOKEN: SECRET })]);
    expect(again.unreadable.notices()).toEqual([]);
  });

  test('that an older version has left in plain text are sealed as they are read', () => {
    const { database } = start();
    for (const [table, record] of [
      ['template', template({ HF_TOKEN: SECRET })],
      ['pod', pod({ HF_TOKEN: SECRET })],
    ] as const) {
      database.prepare(`INSERT INTO ${table} (id, record) VALUES (?, ?)`).run(record.id, JSON.stringify(record));
    }
    expect(isInFiles()).toBe(true);
    const { resources, pods } = start();
    expect(resources.loadTemplates()).toEqual([template({ HF_TOKEN: SECRET })]);
    expect(pods.load()).toEqual([pod({ HF_TOKEN: SECRET })]);
    expect(isInFiles()).toBe(false);
    expect(start().resources.loadTemplates()).toEqual([template({ HF_TOKEN: SECRET })]);
  });

  test('stay on disk through a change of the rest while their key is not there, and are told of', () => {
    start().resources.saveTemplate(template({ HF_TOKEN: SECRET }));
    const { resources, unreadable } = start(OTHER);
    const [read] = resources.loadTemplates();
    expect(read!.env).toBe(UNREADABLE_ENV);
    expect(unreadable.notices()).toEqual([
      expect.stringMatching(
        /^The environment variables of template "mine" are encrypted with a key that is not there\./,
      ),
    ]);
    expect(() => requireReadable(read!.env, 'The template "mine"')).toThrow(
      /"mine" cannot be used.*set the variables again/,
    );
    resources.saveTemplate({ ...read!, name: 'renamed' });
    expect(start().resources.loadTemplates()).toEqual([{ ...template({ HF_TOKEN: SECRET }), name: 'renamed' }]);
  });

  test('that are set again while their key is not there take the place of the old ones', () => {
    start().pods.save(pod({ HF_TOKEN: SECRET }));
    const { pods } = start(OTHER);
    const [read] = pods.load();
    pods.save({ ...read!, env: { NEW: 'n' } });
    const again = start(OTHER);
    expect(again.pods.load()).toEqual([pod({ NEW: 'n' })]);
    expect(again.unreadable.notices()).toEqual([]);
  });

  test('that cannot be sealed anew because the disk is full are read all the same, and sealed by a later start', () => {
    start().resources.saveTemplate(template({ HF_TOKEN: SECRET }));
    const { database, sealing, unreadable, damaged } = start(OTHER, [KEY]);
    const disk: Disk = { statements: 0, fault: null };
    injectFaults(database, disk);
    const resources = createResourceStore(database, { sealing, unreadable, damaged });
    disk.fault = { at: disk.statements + 3, code: SQLITE.FULL, when: 'before', lasts: true };
    expect(resources.loadTemplates()).toEqual([template({ HF_TOKEN: SECRET })]);
    expect(disk.statements).toBeGreaterThanOrEqual(disk.fault.at);
    start(OTHER, [KEY]).resources.loadTemplates();
    expect(start(OTHER).resources.loadTemplates()).toEqual([template({ HF_TOKEN: SECRET })]);
  });

  test('are sealed anew with the key that is sealed with now', () => {
    start().resources.saveTemplate(template({ HF_TOKEN: SECRET }));
    start(OTHER, [KEY]).resources.loadTemplates();
    expect(start(OTHER).resources.loadTemplates()).toEqual([template({ HF_TOKEN: SECRET })]);
  });
});

describe('the address of a webhook', () => {
  const url = `https://example.com/hook/${SECRET}`;
  const job = jobRecord({ webhook: url });
  const delivery: WebhookRecord = {
    seq: 1,
    id: 'whd_1_0',
    jobId: 'job-1',
    endpointId: 'ep',
    url,
    jobStatus: 'FAILED',
    createdAt: 5,
    state: 'pending',
    nextAttemptAt: 6,
    finishedAt: null,
    tries: 0,
    payloadLength: 9,
    attempts: [],
  };
  const body = JSON.stringify({ input: {}, webhook: url });
  const payload = JSON.stringify({ webhook: url });

  function fill(): void {
    const { jobs, webhooks, commits } = start();
    jobs.insert(job, body, false, () => undefined);
    commits.write(webhooks.inserting(delivery, [payload]).write, () => undefined);
    commits.flush();
  }

  test('is sealed in its job, in its request and in its delivery, and all of it comes back', () => {
    fill();
    expect(isInFiles()).toBe(false);
    const { jobs, webhooks } = start();
    expect([...jobs.load()]).toEqual([job]);
    expect(jobs.body(1)).toBe(body);
    expect(webhooks.loadPending()).toEqual([delivery]);
    expect(webhooks.payload(1)).toEqual([payload]);
  });

  test('that an older version has left in plain text is sealed at a start', () => {
    fill();
    const { database } = start();
    database.prepare('UPDATE job SET webhook = ?').run(url);
    database.prepare('UPDATE body SET content = ?').run(body);
    database.prepare('UPDATE webhook SET url = ?').run(url);
    database.prepare('UPDATE webhook_payload SET text = ?').run(payload);
    expect(isInFiles()).toBe(true);
    const next = start();
    sealOpenTexts(next.database, next.sealing);
    expect(isInFiles()).toBe(false);
    const { jobs, webhooks } = start();
    expect([...jobs.load()]).toEqual([job]);
    expect(jobs.body(1)).toBe(body);
    expect(webhooks.loadPending()).toEqual([delivery]);
    expect(webhooks.payload(1)).toEqual([payload]);
  });

  test('whose key is not there stays on disk, is told of, and is called by a start that has the key', () => {
    fill();
    const { jobs, webhooks, unreadable } = start(OTHER);
    expect([...jobs.load()]).toEqual([{ ...job, webhook: null }]);
    expect(webhooks.loadPending()).toEqual([]);
    expect(webhooks.find(1)).toMatchObject({ state: 'pending', url: UNREADABLE_URL });
    expect(() => jobs.body(1)).toThrow('that key is gone');
    expect(unreadable.notices()).toEqual([expect.stringContaining('1 jobs and 1 deliveries are encrypted with a key')]);
    const again = start();
    expect([...again.jobs.load()]).toEqual([job]);
    expect(again.webhooks.loadPending()).toEqual([delivery]);
  });
});

test('The key of a folder is made once', () => {
  expect(readFolderKey(dir)).toBeNull();
  const key = folderKey(dir);
  expect(key).toHaveLength(32);
  expect(folderKey(dir)).toEqual(key);
  expect(readFolderKey(dir)).toEqual(key);
});
