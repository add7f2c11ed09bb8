import { describe, expect, it } from 'vitest'
import { type Condition, everything } from '../../../src/query/ast.ts'
import type { Row } from '../../../src/source/source.ts'
import { inherited } from '../library/inherited.ts'
import type { Stage } from './stage.ts'

export const names = ({ store }: Stage): void => {
  describe('fields that are named as what every object has', () => {
    const oddities = () => store('Oddity')
    const part = (row: Row | undefined): Row =>
      Object.fromEntries(
        inherited.map((name) => [name, row !== undefined && Object.hasOwn(row, name) ? row[name] : row]),
      )
    const withAll = (value: string | null): Row => Object.fromEntries(inherited.map((name) => [name, value]))

    it('are null where no value names them, and stay where a change does not', async () => {
      const empty = await oddities().create({ name: 'x' })
      expect(part(empty)).toEqual(withAll(null))
      expect(part(await oddities().update([empty['id']], { name: 'y' }, everything))).toEqual(withAll(null))
      const full = await oddities().create({ name: 'x', ...withAll('set') })
      expect(part(full)).toEqual(withAll('set'))
      expect(part(await oddities().update([full['id']], { name: 'y' }, everything))).toEqual(withAll('set'))
      expect(part(await oddities().read([full['id']], everything))).toEqual(withAll('set'))
    })

    it.each(inherited)('%s is written, read, compared, sorted and chosen', async (field) => {
      const first = await oddities().create({ name: 'x', [field]: 'b' })
      const second = await oddities().create({ name: 'x', [field]: 'a' })
      const found = async (filter: Condition, fields?: readonly string[]) => {
        const order = [{ field, direction: 'asc' } as const]
        const selection = { filter, order, limit: 9, offset: 0, ...(fields && { fields }) }
        return oddities().list(selection, everything)
      }
      const ids = async (filter: Condition) => (await found(filter)).map(({ id }) => id)
      expect(await ids(everything)).toEqual([second['id'], first['id']])
      expect(await ids({ op: 'eq', field, value: 'a' })).toEqual([second['id']])
      expect(await ids({ op: 'contains', field, value: 'B' })).toEqual([first['id']])
      expect((await found(everything, ['id', field])).map((row) => Object.entries(row))).toEqual([
        [
          ['id', second['id']],
          [field, 'a'],
        ],
        [
          ['id', first['id']],
          [field, 'b'],
        ],
      ])
      const guard: Condition = { op: 'eq', field, value: 'a' }
      expect(await oddities().update([first['id']], { name: 'y' }, guard)).toBeUndefined()
      expect(part(await oddities().update([second['id']], { [field]: null }, guard))).toEqual(withAll(null))
    })
  })
}
