import { expect, onTestFinished } from 'vitest'
import type { ModelSource } from '../../src/entry/source.ts'
import { onFastify } from '../stage/apps.ts'
import { senderTo } from '../stage/requests.ts'

/** Expects of `Box` that its `size`, whose conversion refuses negative numbers with a secret, is invalid in queries and bodies. */
export const expectRefusedSizes = async (models: ModelSource): Promise<void> => {
  const app = await onFastify({ models }, { base: '' })
  onTestFinished(app.stop)
  const send = senderTo(app)
  expect((await send('POST', '/boxes/', { body: { size: 3 } })).status).toBe(201)
  const found = async (query: string) => (await send('GET', `/boxes/?${query}`)).json['items']
  expect(await found('size>=2')).toEqual([{ id: 1, size: 3 }])
  expect(await found('size=-1')).toEqual([])
  for (const path of ['/boxes/?size>-1', '/boxes/aggregate?aggregate=count&size>-1']) {
    const { status, json } = await send('GET', path)
    expect([status, json['code']]).toEqual([400, 'invalid_value'])
    expect(JSON.stringify(json)).toContain('with size')
    expect(JSON.stringify(json)).not.toContain('s3cret')
  }
  for (const [method, path] of [
    ['POST', '/boxes/'],
    ['PATCH', '/boxes/1'],
  ] as const)
    expect((await send(method, path, { body: { size: -1 } })).status).toBe(422)
}
