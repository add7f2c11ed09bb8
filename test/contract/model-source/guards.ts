import { describe, expect, it } from 'vitest'
import { type Condition, everything } from '../../../src/query/ast.ts'
import type { Stage } from './stage.ts'

const nothing: Condition = { op: 'or', conditions: [] }
const named = (value: string): Condition => ({ op: 'eq', field: 'name', value })

export const guards = ({ store }: Stage): void => {
  describe('guards', () => {
    const add = (name: string) => store('Author').create({ name })
    const page = { filter: everything, order: [], limit: 9, offset: 0 }

    it('a record that the guard leaves out is not listed, counted or read', async () => {
      const [a] = [await add('a'), await add('b')]
      expect(await store('Author').list(page, named('a'))).toEqual([a])
      expect(await store('Author').list({ ...page, filter: named('b') }, named('a'))).toEqual([])
      expect(await store('Author').count(everything, named('a'))).toBe(1)
      expect(await store('Author').count(named('b'), named('a'))).toBe(0)
      expect(await store('Author').read([a?.['id']], named('a'))).toEqual(a)
      expect(await store('Author').read([a?.['id']], named('b'))).toBeUndefined()
      expect(await store('Author').read([a?.['id']], nothing)).toBeUndefined()
    })

    it('nor is it changed', async () => {
      const a = await add('a')
      expect(await store('Author').update([a['id']], { bio: 'x' }, named('b'))).toBeUndefined()
      expect(await store('Author').update([a['id']], {}, named('b'))).toBeUndefined()
      expect(await store('Author').update([a['id']], { bio: 'x' }, nothing)).toBeUndefined()
      expect(await store('Author').read([a['id']], everything)).toEqual(a)
      expect(await store('Author').update([a['id']], { bio: 'x' }, named('a'))).toEqual({ ...a, bio: 'x' })
    })

    it('a guard is asked of the record as it was', async () => {
      const a = await add('a')
      const renamed = await store('Author').update([a['id']], { name: 'b' }, named('a'))
      expect(renamed).toEqual({ ...a, name: 'b' })
    })

    it('nor deleted', async () => {
      const a = await add('a')
      expect(await store('Author').remove([a['id']], named('b'))).toBe(false)
      expect(await store('Author').remove([a['id']], nothing)).toBe(false)
      expect(await store('Author').count(everything, everything)).toBe(1)
      expect(await store('Author').remove([a['id']], named('a'))).toBe(true)
    })

    it('an or in the guard does not let go of the key', async () => {
      const [a, b] = [await add('a'), await add('b')]
      const any: Condition = { op: 'or', conditions: [named('a'), named('b')] }
      expect(await store('Author').update([a?.['id']], { bio: 'x' }, any)).toEqual({ ...a, bio: 'x' })
      expect(await store('Author').read([b?.['id']], everything)).toEqual(b)
      expect(await store('Author').remove([a?.['id']], any)).toBe(true)
      expect(await store('Author').count(everything, everything)).toBe(1)
    })
  })
}
