/**
 * An engine like any other, whose workers have as long to end as a slow machine takes: for tests of workers that end by
 * themselves.
 */
import { limits } from '#contract/core/limits.ts';
import { runEngineProcess } from '../../../main/engine/entry.ts';
import { DEADLINE_MS } from '../core/until.ts';

Object.assign(limits, { workerGraceMs: DEADLINE_MS });
runEngineProcess();
