import { defineEntity, p, Type } from '@mikro-orm/core'
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm'
import { expect, it } from 'vitest'
import type { ModelSource } from '../../../src/entry/source.ts'
import type { Place } from '../../http/orm-places.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { serveModels } from '../../stage/serve-models.ts'
import { placeOf, withMikroOrm, withTypeorm } from '../open-orms.ts'

/** Types without an order, and whether ORMs know more of them than that they are text. */
const unordered = [
  'xml',
  'box',
  'path',
  'polygon',
  'lseg',
  'line',
  'circle',
  'point',
  'tsquery',
  'json',
] as const

const refusing = (value: unknown): unknown => {
  if (value === 'bad') throw new Error('not of this type')
  return value
}

class Refusing extends Type<string, string> {
  override convertToDatabaseValue(value: string): string {
    return refusing(value) as string
  }

  override getColumnType(): string {
    return 'varchar(20)'
  }
}

const sources: Readonly<Record<string, (place: Place) => Promise<{ readonly source: ModelSource }>>> = {
  typeorm: async (place) => {
    const nullable = { nullable: true } as const
    const columns: Record<string, EntitySchemaColumnOptions> = {
      id: { type: 'int', primary: true, generated: 'increment' },
      own: { type: 'varchar', ...nullable, transformer: { to: refusing, from: (value) => value } },
    }
    for (const type of unordered) columns[`a_${type}`] = { type, ...nullable }
    const entities = [new EntitySchema({ name: 'Thing', tableName: 'thing', columns })]
    const { source, dataSource } = await withTypeorm(place, ...entities)
    await dataSource.synchronize()
    return { source }
  },
  'mikro-orm': async (place) => {
    const typed = unordered.map((type) => [`a_${type}`, p.type(type).nullable()] as const)
    const properties = {
      ...{ id: p.integer().primary().autoincrement(), own: p.type(Refusing).nullable() },
      ...Object.fromEntries(typed),
    }
    const Thing = defineEntity({ name: 'Thing', tableName: 'thing', properties })
    const { source, orm } = await withMikroOrm(place, [Thing])
    await orm.schema.create()
    return { source }
  },
}

onPostgres('columns that have no order', () => {
  for (const [orm, open] of Object.entries(sources))
    it(`are not sorted, grouped or compared, through ${orm}`, async () => {
      const { source: models } = await open(await placeOf('postgres'))
      const { send } = await serveModels({ models, close: () => undefined } as never, {
        modelConfig: { Thing: { bulk: true } },
      })
      const asked = async (path: string) => {
        const [status, body] = await send('GET', `/things/${path}`)
        return [path, status, Reflect.get(Object(body), 'code')]
      }
      for (const type of unordered) {
        const field = `a_${type}`
        for (const path of [`?sort=${field}`, `aggregate?group=${field}`, `?${field}==x`, `?${field}>x`])
          expect(await asked(path)).toEqual([path, 400, 'invalid_operator'])
        expect(await asked(`?${field}=null`)).toEqual([`?${field}=null`, 200, undefined])
      }
      await send('POST', '/things/', { own: 'good' })
      for (const [query, status] of [
        ['own==bad', 200],
        ['own!=bad', 200],
        ['own>bad', 400],
        ['own<=bad', 400],
      ] as const) {
        expect((await asked(`?${query}`)).slice(0, 2)).toEqual([`?${query}`, status])
        expect((await asked(`aggregate?${query}`)).slice(0, 2)).toEqual([`aggregate?${query}`, status])
      }
      expect(await send('DELETE', '/things/?q=own>bad')).toMatchObject([400, { code: 'invalid_value' }])
    })
})
