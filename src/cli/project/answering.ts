import { answerTo } from './answer.ts'
import type { Question, Told } from './question.ts'

// The process that loads a project. It ends with the one that asks.
process.once('disconnect', () => process.exit())

// An application that finds `send` takes the one who started it for a parent that knows it, as PM2 does.
const send = process.send?.bind(process)
Reflect.set(process, 'send', undefined)

process.once('message', async (question: Question) => {
  // What waits for nothing that can come ends.
  process.channel?.unref()
  send?.({ modelrestReply: await answerTo(question) } satisfies Told)
})
