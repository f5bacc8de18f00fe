/** Edits one member of an object in a request body, touching nothing else of the text. */
import { memberAt, readText, type Member, type Node } from './requestText.ts';

/**
 * The text with `value` (raw JSON) as the member `name` of the object `parent`, or without that member (null). Makes the
 * object where it is missing. Answers the same text when it cannot be read, or when `parent` is no object.
 */
export function writeMember(text: string, parent: string, name: string, value: string | null): string {
  const read = readText(text);
  if (!read.ok || read.root.kind !== 'object') return text;
  const holder = memberAt(read.root, [parent]);
  if (holder && holder.value.kind !== 'object') return text;
  const member = memberAt(read.root, [parent, name]);

  if (value === null) return holder && member ? without(text, holder.value, member) : text;
  if (member) return text.slice(0, member.value.from) + value + text.slice(member.value.to);
  const written = `${JSON.stringify(name)}: ${value}`;
  if (holder) return withMember(text, holder.value, written);
  return withMember(text, read.root, `${JSON.stringify(parent)}: { ${written} }`);
}

/** The text without the member `name` of the root; the same text where it has none. */
export function removeMember(text: string, name: string): string {
  const read = readText(text);
  const member = read.ok ? memberAt(read.root, [name]) : null;
  return read.ok && member ? without(text, read.root, member) : text;
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
