/** `hangar completion`: the completion script of a shell for `hangar`. */
import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { scripts, shells, type Shell } from '../completion/scripts.ts';

export function addCompletion(program: Command, cli: () => Cli): void {
  program
    .command('completion')
    .description('print the script that completes commands, options and names in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  $ echo 'eval "$(hangar completion bash)"' >> ~/.bashrc
  $ echo 'eval "$(hangar completion zsh)"' >> ~/.zshrc
  $ echo 'hangar completion fish | source' >> ~/.config/fish/config.fish`,
    )
    .action((shell: Shell) => cli().output.line(scripts[shell]));
}
