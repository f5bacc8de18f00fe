/** Asks an http port of a Pod whether its server is ready. */
import { AppError } from '#contract/core/errors.ts';
import type { PodPortCheck } from '#contract/local/podMetrics.ts';
import type { Cancel } from '../../core/ports.ts';
import type { Pods } from '../podInterfaces.ts';

interface PortAnswer {
  /** The HTTP status; null without an answer. */
  status: number | null;
  /** Why there was no answer, as a part of a sentence; null with an answer. */
  error: string | null;
}

/** Sends one request. */
export interface PortProbe {
  /** Calls `done` once, within `withinMs` milliseconds. Never throws. */
  ask(at: { host: string; port: number; path: string }, withinMs: number, done: (answer: PortAnswer) => void): Cancel;
}

/** How long a server may take to answer, milliseconds. */
const ANSWER_MS = 3000;
/** A server that starts, or a proxy before it, answers with such a status. */
const FIRST_FAILURE = 500;

/**
 * Resolves with `ready` for an answer below 500: a login, a redirection or a missing page is from a server that runs.
 * Rejects with NOT_FOUND if there is no such Pod or port.
 */
export async function checkPort(
  pods: Pick<Pods, 'reach'>,
  probe: PortProbe,
  at: { podId: string; port: number; path: string },
): Promise<PodPortCheck> {
  let upstream;
  try {
    upstream = pods.reach(at.podId, at.port);
  } catch (thrown) {
    // Its container does not run: that is an answer, too.
    if (!(thrown instanceof AppError) || thrown.code !== 'UPSTREAM') throw thrown;
    return { ready: false, status: null, problem: thrown.message };
  }
  const { host, port } = upstream;
  const { status, error } = await new Promise<PortAnswer>((resolve) => {
    probe.ask({ host, port, path: at.path }, ANSWER_MS, resolve);
  });
  const request = `GET ${at.path} on port ${at.port}`;
  if (status === null) return { ready: false, status, problem: `${request}: ${error ?? 'no answer'}.` };
  const ready = status < FIRST_FAILURE;
  return { ready, status, problem: ready ? null : `${request} was answered with status ${status}.` };
}
