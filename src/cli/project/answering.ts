import { answerTo } from './answer.ts'
import type { Question } from './question.ts'

// The process that loads a project. It ends with the one that asks.
process.once('disconnect', () => process.exit())
process.once('message', async (question: Question) => {
  // What waits for nothing that can come ends.
  process.channel?.unref()
  process.send?.(await answerTo(question))
})
