/** Edits the policy inside a request body, touching nothing else of the text. */
import { memberAt, readText, type Member, type Node } from './requestText.ts';

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
  const read = readText(text);
  if (!read.ok || read.root.kind !== 'object') return text;
  const policy = memberAt(read.root, ['policy']);
  if (policy && policy.value.kind !== 'object') return text;
  const member = memberAt(read.root, ['policy', name]);

  if (value === null) {
    if (!policy || !member) return text;
    const isLast = policy.value.members?.length === 1;
    return isLast ? without(text, read.root, policy) : without(text, policy.value, member);
  }
  if (member) return text.slice(0, member.value.from) + value + text.slice(member.value.to);
  if (policy) return withMember(text, policy.value, `"${name}": ${value}`);
  return withMember(text, read.root, `"policy": { "${name}": ${value} }`);
}

/** Adds a member at the end of an object, laid out as its other members are. */
function withMember(text: string, object: Node, member: string): string {
  const last = object.members?.at(-1);
  if (!last) return `${text.slice(0, object.from)}{ ${member} }${text.slice(object.to)}`;
  const before = text.slice(object.from + 1, last.from);
  const lead = /\s*$/.exec(before)?.[0] ?? ' ';
  return `${text.slice(0, last.value.to)},${lead === '' ? ' ' : lead}${member}${text.slice(last.value.to)}`;
}

/** Takes a member away, with the comma that belonged to it. */
function without(text: string, object: Node, member: Member): string {
  const members = object.members ?? [];
  const index = members.indexOf(member);
  const previous = members[index - 1];
  const next = members[index + 1];
  if (previous) return text.slice(0, previous.value.to) + text.slice(member.value.to);
  if (next) return text.slice(0, member.from) + text.slice(next.from);
  return `${text.slice(0, object.from)}{}${text.slice(object.to)}`;
}
