import { Command } from 'commander'
import type { MakeCommand, Terminal } from './command.ts'
import { ownPackage } from './init/own-package.ts'

/** The program with all its commands. Instead of ending the process it throws. */
export const programOf = (makers: readonly MakeCommand[], terminal: Terminal): Command => {
  const program = new Command('modelrest')
    .description('REST endpoints from the data models that an application already has.')
    .version(ownPackage().version, '-v, --version', 'tell the version')
    .helpOption('-h, --help', 'tell what there is')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong use.')
  for (const make of makers) program.addCommand(make(terminal))
  tame(program, terminal)
  return program
}

const tame = (command: Command, terminal: Terminal): void => {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.print(text.trimEnd()),
    writeErr: (text) => terminal.note(text.trimEnd()),
    // It is thrown as well.
    outputError: () => undefined,
  })
  for (const inner of command.commands) tame(inner, terminal)
}
