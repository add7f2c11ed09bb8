import { inspect } from '../../inspection.ts'
import { causesOf } from '../../observe/causes.ts'
import { UsageError } from '../usage-error.ts'
import { type Generator, generatorIn } from './generator-in.ts'
import { importModule } from './import-module.ts'
import type { Question, QuestionName, Questions, Reply, Said } from './question.ts'
import { UnreadableModule } from './unreadable-module.ts'
import { withoutPorts } from './without-ports.ts'

type Acts = {
  readonly [Name in QuestionName]: (
    generator: Generator,
    given: Questions[Name]['given'],
  ) => Promise<Questions[Name]['answer']>
}

const acts: Acts = {
  openapi: async (generator) => {
    await generator.init()
    return generator.openapi()
  },
  check: async (generator) => {
    await generator.init()
    generator.openapi()
    return undefined
  },
  cleanFiles: (generator, given) => generator.cleanFiles(given),
}

/** Loads the project of this process and asks it. It never fails. */
export const answerTo = async ({ place, name, given }: Question): Promise<Reply> => {
  const said: Said[] = []
  const generators: object[] = []
  inspect({
    generators,
    checksStorage: name === 'check',
    tell: (kind, line) => void said.push({ kind, line }),
  })
  const { awaited } = withoutPorts()
  try {
    if (place.settings !== undefined) await importModule(place.settings)
    const exported = await Promise.race([importModule(place.module), awaited])
    const generator = await generatorIn(exported, place, generators)
    const act = acts[name] as (generator: Generator, given: unknown) => Promise<unknown>
    return { kind: 'answer', answer: await act(generator, given), said }
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error), message: messageOf(error), said }
  }
}

const reasonOf = (error: unknown): (Reply & { readonly kind: 'failed' })['reason'] => {
  if (error instanceof UsageError) return 'usage'
  return error instanceof UnreadableModule ? error.reason : 'failure'
}

/** Ours say what is wrong. Of others, where it happened is told too. And of both, what is behind them. */
const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const isOurs = isToldWhole(error)
  const told = [...causesOf(error.cause)].filter((cause) => !isToldWhole(cause))
  const [first, ...others] = isOurs ? told : [error, ...told]
  return [
    ...(isOurs ? [error.message] : []),
    ...(first === undefined ? [] : [first.stack ?? first.message]),
    ...others.map(({ message }) => `Caused by: ${message}`),
  ].join('\n')
}

const isToldWhole = (error: Error): boolean => error instanceof UsageError || error.name === 'StartError'
