import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controllerFor } from '../../src/index.ts'
import { onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { type Send, senderTo } from '../stage/requests.ts'

const makers = sqliteTable('makers', {
  id: integer().primaryKey(),
  hiddenText: text(),
  hiddenJson: text({ mode: 'json' }),
})
const things = sqliteTable('things', {
  id: integer().primaryKey(),
  makerId: integer().references(() => makers.id),
  name: text(),
  meta: text({ mode: 'json' }),
  ...{ hiddenText: text(), writeText: text(), closedText: text() },
  hiddenJson: text({ mode: 'json' }),
  writeJson: text({ mode: 'json' }),
  closedJson: text({ mode: 'json' }),
})
const unseen = ['hidden', 'write', 'closed'] as const

/** What a caller cannot see is of this world alone. */
const open = async (secret: string): Promise<{ readonly send: Send; stop(): Promise<unknown> }> => {
  const json = `'${JSON.stringify({ a: [secret], b: secret, size: secret.length })}'`
  const { models, close } = openSqlite(
    { makers, things },
    `create table makers (id integer primary key, "hiddenText" text, "hiddenJson" text);
     create table things (id integer primary key, "makerId" integer references makers (id), name text, meta text,
       "hiddenText" text, "writeText" text, "closedText" text, "hiddenJson" text, "writeJson" text, "closedJson" text);
     insert into makers values (1, '${secret}', ${json});
     insert into things values (1, 1, 'seen', '{"a":["seen"],"b":"seen","size":4}', '${secret}', '${secret}', '${secret}',
       ${json}, ${json}, ${json})`,
  )
  const app = await onFastify(
    {
      models,
      modelConfig: {
        Thing: { hidden: ['hiddenText', 'hiddenJson'], writeOnly: ['writeText', 'writeJson'] },
        Maker: { hidden: ['hiddenText', 'hiddenJson'] },
      },
      controllers: [
        controllerFor('Thing', {
          access: () => ({ read: { closedText: false, closedJson: false } }),
        } as object),
      ],
    } as never,
    { base: '', onlyModels: true },
  )
  return {
    send: senderTo(app),
    stop: async () => {
      await app.stop()
      await close()
    },
  }
}

const ofText = ['^=s', '~=SEEN', '=s', '==seen', '!=seen', '>s', '=null']
const insideJson = [
  '.b==seen',
  '.b=S',
  '.a.0==seen',
  '.a=seen',
  '.size>3',
  '.b=null',
  '.b!=seen',
  '."b"==seen',
]

/** Each form, on a field of each kind. */
const formsOf = (text: string, json: string): readonly string[] => [
  ...ofText.map((form) => text + form),
  ...[...insideJson, '=null'].map((form) => json + form),
]

describe('fields that a caller cannot see', () => {
  let worlds: readonly Awaited<ReturnType<typeof open>>[]
  beforeAll(async () => {
    worlds = [await open('seen'), await open('other')]
  })
  afterAll(() => Promise.all(worlds.map(({ stop }) => stop())))

  const answers = async (path: string) =>
    Promise.all(
      worlds.map(async ({ send }) => {
        const { status, json } = await send('GET', path)
        const body: { readonly code?: string } = json
        return { status, code: body.code, json }
      }),
    )

  it.each(unseen.flatMap((which) => formsOf(`${which}Text`, `${which}Json`)))(
    'are unknown to %s',
    async (condition) => {
      for (const form of [condition, `(id=1|${condition})`, `!(${condition})`]) {
        const [one, other] = await answers(`/things?q=${encodeURIComponent(form)}`)
        expect(one, form).toMatchObject({ status: 400, code: 'unknown_field' })
        expect(other, form).toEqual(one)
      }
    },
  )

  it.each(formsOf('hiddenText', 'hiddenJson'))('are unknown behind a relation to %s', async (condition) => {
    const [one, other] = await answers(`/things?q=${encodeURIComponent(`maker.${condition}`)}`)
    expect(one).toMatchObject({ status: 400, code: 'unknown_field' })
    expect(other).toEqual(one)
  })

  it.each(unseen)('cannot be counted: %s', async (which) => {
    for (const kind of ['Text', 'Json']) {
      const [one, other] = await answers(`/things/aggregate?aggregate=count_distinct(${which}${kind})`)
      expect(one).toMatchObject({ status: 400, code: 'unknown_field' })
      expect(other).toEqual(one)
    }
  })

  it.each(formsOf('name', 'meta'))('those that it can see take %s', async (condition) => {
    const [one, other] = await answers(`/things?q=${encodeURIComponent(condition)}`)
    expect(one).toMatchObject({ status: 200 })
    expect(other).toEqual(one)
  })
})
