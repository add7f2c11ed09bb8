import type { Terminal } from '../command.ts'
import { askProject } from './ask-project.ts'
import { type PlaceOptions, placeOf } from './place.ts'
import type { QuestionName, Questions } from './question.ts'

/**
 * Asks the project that the options of a command name. Warnings of its start are passed on.
 *
 * @throws UsageError for a file or a name that is not there; Failure where the project does not start
 */
export const answerOf = async <Name extends QuestionName>(
  name: Name,
  given: Questions[Name]['given'],
  options: PlaceOptions,
  terminal: Terminal,
): Promise<Questions[Name]['answer']> => {
  const place = placeOf(options, terminal.folder)
  const asked = await askProject({ place, name, given }, terminal)
  for (const { kind, line } of asked.said)
    if (kind === 'warning') terminal.note(terminal.colours.yellow(line))
  if (asked.kind === 'failed') throw asked.error
  return asked.answer
}
