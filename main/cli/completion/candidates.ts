/** Computes the candidates for the next word of a command line from the tree of commands. */
import type { Argument, Command, Option } from 'commander';

/** Names that only the running Hangar has. */
export type NameKind = 'account' | 'endpoint' | 'pod' | 'job' | 'key';

/** `words`: this list; `files`: the shell completes file names; `names`: names from the running Hangar. */
export type Candidates =
  | { kind: 'words'; words: readonly string[] }
  | { kind: 'files' }
  | { kind: 'names'; names: NameKind; account: string | null };

const NAME_KINDS: readonly NameKind[] = ['account', 'endpoint', 'pod', 'job', 'key'];
const FILES: ReadonlySet<string> = new Set(['file', 'folder']);
/** Options whose values have the names of an argument. */
const OPTION_NAMES: Readonly<Record<string, NameKind>> = { '--account': 'account', '--endpoint': 'endpoint' };

const words = (list: readonly string[]): Candidates => ({ kind: 'words', words: list });
const takesValue = (option: Option): boolean => option.required || option.optional;

/** `<endpoints...>` is `endpoint`. */
const singular = (name: string): string => name.replace(/^.*<|\.\.\.|>.*$|\]$/g, '').replace(/s$/, '');

function byName(name: string, account: string | null): Candidates {
  if (FILES.has(name)) return { kind: 'files' };
  const names = NAME_KINDS.find((kind) => kind === name);
  return names === undefined ? words([]) : { kind: 'names', names, account };
}

function valuesOf(option: Option, account: string | null): Candidates {
  if (option.argChoices !== undefined) return words(option.argChoices);
  const names = OPTION_NAMES[option.long ?? ''];
  return names === undefined
    ? byName(singular(option.flags), account)
    : { kind: 'names', names, account: names === 'account' ? null : account };
}

function valuesOfArgument(argument: Argument, account: string | null): Candidates {
  if (argument.argChoices !== undefined) return words(argument.argChoices);
  return byName(singular(argument.name()), account);
}

/** The default command of a group. */
const USUAL = 'list';
const usualOf = ({ commands }: Command): Command[] => commands.filter((one) => one.name() === USUAL);

const findOption = (word: string, commands: readonly Command[]): Option | undefined =>
  commands.flatMap(({ options }) => options).find(({ long, short }) => word === long || word === short);

/** The position of the typed words in the tree. */
interface Position {
  command: Command;
  /** The number of arguments before. */
  arguments: number;
  /** The option that expects its value next. */
  open: Option | null;
  /** After `--`: words of another program. */
  isBehind: boolean;
  /** The value of --account. */
  account: string | null;
}

function walk(program: Command, typed: readonly string[]): Position {
  const position: Position = { command: program, arguments: 0, open: null, isBehind: false, account: null };
  for (const word of typed) {
    const { command, open } = position;
    if (position.isBehind) continue;
    if (open !== null) {
      if (open.long === '--account') position.account = word;
      position.open = null;
    } else if (word === '--') position.isBehind = true;
    else if (word.startsWith('-')) {
      const [name = '', value] = word.split('=', 2);
      const option = findOption(name, [command, ...usualOf(command), program]);
      if (option === undefined || !takesValue(option)) continue;
      if (value === undefined) position.open = option;
      else if (option.long === '--account') position.account = value;
    } else {
      const next = position.arguments === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next === undefined) position.arguments += 1;
      else position.command = next;
    }
  }
  return position;
}

/** The part of `--option=value` that stands before its value; empty for any other word. */
export const valuePrefix = (word: string): string => /^--[^=]+=/.exec(word)?.[0] ?? '';

/** bash passes `--option=value` as three words. Returns the words without those that are "=". */
export const withoutEquals = (typed: readonly string[]): string[] =>
  typed.flatMap((word, at) => {
    if (word !== '=' || !typed[at - 1]?.startsWith('--')) return [word];
    return at === typed.length - 1 ? [''] : [];
  });

/**
 * The candidates for the last word, or for its value if it is `--option=value`. `typed`: the words after the program
 * name. The last one is still being typed, and may be ''.
 */
export function candidatesOf(program: Command, typed: readonly string[]): Candidates {
  const current = typed.at(-1) ?? '';
  const position = walk(program, typed.slice(0, -1));
  const { command, open, account } = position;
  if (position.isBehind) return { kind: 'files' };
  if (open !== null) return valuesOf(open, account);
  const [assigned] = current.split('=', 1);
  if (assigned !== undefined && valuePrefix(current) !== '') {
    const option = findOption(assigned, [command, ...usualOf(command), program]);
    return option !== undefined && takesValue(option) ? valuesOf(option, account) : words([]);
  }
  if (current.startsWith('-')) {
    const own = command === program ? [] : [command, ...usualOf(command)].flatMap(({ options }) => options);
    const options = [...own, ...program.options];
    return words([...options.flatMap(({ long }) => long ?? []), '--help']);
  }
  if (command.commands.length > 0) return words(command.commands.map((one) => one.name()));
  const all = command.registeredArguments;
  const argument = all[position.arguments] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  return argument === undefined ? words([]) : valuesOfArgument(argument, account);
}
