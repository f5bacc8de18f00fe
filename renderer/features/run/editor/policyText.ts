/** Edits the policy inside a request body, touching nothing else of the text. */
import { removeMember, writeMember } from './memberText.ts';
import { memberAt, readText } from './requestText.ts';

export type PolicyName = 'executionTimeout' | 'ttl' | 'lowPriority';
export type PolicyValues = Partial<Record<PolicyName, string>>;

/** The policy values as they are written; null when the text cannot be read. */
export function readPolicy(text: string): PolicyValues | null {
  const read = readText(text);
  if (!read.ok || read.root.kind !== 'object') return null;
  const policy = memberAt(read.root, ['policy']);
  if (policy && policy.value.kind !== 'object') return null;
  return Object.fromEntries(
    (policy?.value.members ?? []).map((member) => [member.name, text.slice(member.value.from, member.value.to)]),
  );
}

/** The text with one policy value set, or without it (null). Answers the same text when it cannot be read. */
export function writePolicy(text: string, name: PolicyName, value: string | null): string {
  const next = writeMember(text, 'policy', name, value);
  // An empty policy says nothing.
  return value === null && next !== text && isEmptyPolicy(next) ? removeMember(next, 'policy') : next;
}

function isEmptyPolicy(text: string): boolean {
  const policy = readPolicy(text);
  return policy !== null && Object.keys(policy).length === 0;
}
