import { cursorsGoOn, listsAnswer } from './lists.ts'
import { customersChange, ordersChange, recordsChange } from './records.ts'
import { constraintsRefuse, formsRefuse } from './refusals.ts'
import { relatedAnswer } from './related.ts'
import { comesAndGoes, logsIn } from './sessions.ts'
import { transcriptOf } from './transcript.ts'
import { imagesComeAndGo } from './uploads.ts'

/**
 * Drives a shop of 100 products that is new, with a demo user, through everything that it does.
 *
 * @param base the URL of its API
 * @param cursors the path of the same shop with cursor pages. @default without them
 * @returns what it answered, step by step
 */
export const scenario = async (base: string, cursors?: string): Promise<readonly string[]> => {
  const transcript = transcriptOf(base)
  await logsIn(transcript)
  await listsAnswer(transcript)
  await relatedAnswer(transcript)
  if (cursors !== undefined) await cursorsGoOn(transcript, cursors)
  await recordsChange(transcript)
  await customersChange(transcript)
  await ordersChange(transcript)
  await constraintsRefuse(transcript)
  await formsRefuse(transcript)
  await imagesComeAndGo(transcript)
  await comesAndGoes(transcript)
  return transcript.lines
}
