/** Shared parts of commands: groups, and options that mean the same everywhere. */
import type { Command } from 'commander';

/** Adds a command that only has subcommands. */
export const addGroup = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).helpCommand(false);

export interface AccountOption {
  account?: string;
}

export const ACCOUNT = ['-a, --account <name>', 'account to use (default: this computer)'] as const;
export const YES = ['-y, --yes', 'do not ask'] as const;
