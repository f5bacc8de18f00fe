/** Who sent a job, as one short text for each job: the program by its user agent, and the name of the key. */
import { OWN_CLIENT, type JobSender } from '#contract/local/jobFeed.ts';

/** Jobs of one sender share one string. A client that changes its name with each request must not fill the memory. */
const MOST_SENDERS = 1000;
const NAME_LENGTH = 40;

/** The name of a program by its user agent: "curl" for "curl/8.5.0", "browser" for all browsers; null without one. */
export function clientName(agent: string | undefined): string | null {
  if (agent === undefined) return null;
  if (agent.startsWith('Mozilla/')) return 'browser';
  const name = /^[^\s/();,]+/u.exec(agent.trim())?.[0].slice(0, NAME_LENGTH) ?? '';
  return name === '' ? null : name;
}

const known = new Map<string, string>();

/** One string for all jobs of the same sender. */
export function sharedSender(text: string): string {
  const shared = known.get(text);
  if (shared !== undefined) return shared;
  if (known.size >= MOST_SENDERS) known.clear();
  known.set(text, text);
  return text;
}

/**
 * The sender as the job keeps it: the program, a line break, and the name of the key. Null: the host of the
 * engine. `keyName` is null for the key of the run, `agent` is the user agent.
 */
export function senderOf(keyName: string | null, agent: string | undefined): string | null {
  const client = clientName(agent);
  // Scripts that start Hangar use the key of the run as well.
  if (keyName === null && client === OWN_CLIENT) return null;
  return sharedSender(`${client ?? ''}\n${keyName ?? ''}`);
}

export function readSender(sender: string | null): JobSender {
  if (sender === null) return { own: true, keyName: null, client: null };
  const lineBreak = sender.indexOf('\n');
  const client = sender.slice(0, Math.max(0, lineBreak));
  const keyName = sender.slice(lineBreak + 1);
  return { own: false, keyName: keyName === '' ? null : keyName, client: client === '' ? null : client };
}
