import { expect } from 'vitest'
import type { Told } from './stage.ts'
import { type Both, ofOthers, type Pair, refillWorlds, type Worlds } from './two-worlds.ts'

/** Records of others: behind the tenant's, and before them. */
const foreign = [201, 1]
const missing = 999
const outOfReach = [...foreign, missing]

const form = (parts: Readonly<Record<string, string>>) => {
  const texts = Object.entries(parts).map(
    ([name, text]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  )
  const file =
    '--x\r\ncontent-disposition: form-data; name="content"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\na text\r\n'
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: `${texts.join('')}${file}--x--\r\n`,
  }
}

const jsonOf = ({ body }: Told): Readonly<Record<string, unknown>> => JSON.parse(body)
const madeAt = ({ headers }: Told): string => String(headers['location']).replace(/^\/api/, '')
const fileOf = (told: Told): string => String(jsonOf(told)['content']).replace(/^\/api/, '')
const unsigned = (told: Told): string => fileOf(told).replace(/\?.*/, '')

/** What is asked: its status the first time, its method, its path, and its body. */
type Asking = (status: number, method: string, path: string, body?: unknown) => Promise<Pair>

const askingOf =
  ({ send }: Both): Asking =>
  (status, method, path, body) =>
    send({ status, method, path, ...(body !== undefined && { body }) })

const reading = async (ask: Asking, { foreignFile }: Worlds): Promise<void> => {
  for (const path of [
    '',
    '?limit=1&count=exact',
    '?sort=rank&order=desc',
    '?q=folderId=201',
    '?search=first',
  ])
    await ask(200, 'GET', `/documents/${path}`)
  for (const path of [
    '/remarks/',
    '/remarks/?q=documentId=201',
    '/remarks/?limit=1&count=estimated',
    '/folders/',
  ])
    await ask(200, 'GET', path)
  for (const path of [
    '/documents/?include=folder,remarks',
    '/folders/?include=documents(count=exact;fields=title).remarks',
    '/remarks/?include=document(fields=title).folder.documents&limit=2',
    '/folders/101?include=documents.folder',
    '/documents/?folder.name=letters&remarks.note=one',
    '/folders/?documents.title=foreign',
    '/folders/?q=!(documents.rank=7)',
    '/documents/?sort=folder.name&order=desc&count=estimated',
    '/folders/101/documents/?sort=rank',
    '/documents/102/remarks/',
    '/documents/?fields=title&include=folder(fields=name),remarks(fields=note)',
  ])
    await ask(200, 'GET', path)
  for (const id of outOfReach) {
    await ask(404, 'GET', `/folders/${id}/documents/`)
    await ask(404, 'POST', `/folders/${id}/documents/`, { title: 'new' })
  }
  for (const method of ['GET', 'HEAD']) {
    for (const path of ['/documents/101', '/documents/102', '/remarks/101,1', '/folders/101'])
      await ask(200, method, path)
    for (const id of outOfReach)
      for (const path of [
        ...[`/documents/${id}`, `/remarks/${id},1`, `/folders/${id}`],
        `/media/documents/${id}/content/${foreignFile}`,
      ])
        await ask(404, method, path)
  }
}

const creating = async (ask: Asking): Promise<void> => {
  const create = (status: number, body: unknown) => ask(status, 'POST', '/documents/', body)
  await create(201, { title: 'new', folderId: 101 })
  await create(201, { tenantId: 1, title: 'new' })
  await ask(201, 'POST', '/folders/101/documents/', { title: 'new' })
  for (const folderId of outOfReach) await create(422, { title: 'new', folderId })
  for (const tenantId of [2, 0]) await create(403, { tenantId, title: 'new' })
  await ask(201, 'POST', '/folders/', { name: 'new' })
  await ask(201, 'POST', '/remarks/', { documentId: 101, number: 7 })
  for (const documentId of outOfReach) {
    await ask(422, 'POST', '/remarks/', { documentId, number: 7 })
    await ask(422, 'POST', '/remarks/', { documentId, number: 1 })
  }
}

const changing = async (ask: Asking): Promise<void> => {
  for (const method of ['PATCH', 'PUT'])
    for (const [path, body] of [
      ['documents/101', { title: 'x' }],
      ['documents/101', { title: 'x', folderId: 102 }],
      ['documents/101', { title: 'x', folderId: null, content: null }],
      ['documents/101', { title: 'x', tenantId: 1, id: 101 }],
      ['folders/101', { name: 'x' }],
      ['remarks/101,1', { note: 'x' }],
      ['remarks/101,1', {}],
    ] as const)
      await ask(method === 'PATCH' && 'id' in body ? 422 : 200, method, `/${path}`, body)
  await ask(200, 'PATCH', '/documents/101', {})
  for (const method of ['PATCH', 'PUT']) {
    for (const folderId of outOfReach) await ask(422, method, '/documents/101', { title: 'x', folderId })
    for (const tenantId of [2, 0]) await ask(403, method, '/documents/101', { title: 'x', tenantId })
    for (const id of outOfReach) {
      for (const body of [{ title: 'x' }, { title: 'x', content: null }, { title: 'x', folderId: 101 }])
        await ask(404, method, `/documents/${id}`, body)
      await ask(404, method, `/folders/${id}`, { name: 'x' })
      await ask(404, method, `/remarks/${id},1`, { note: 'x' })
    }
  }
  for (const id of outOfReach) await ask(404, 'PATCH', `/documents/${id}`, {})
}

const deleting = async (ask: Asking): Promise<void> => {
  for (const path of ['documents/103', 'documents/104', 'remarks/101,2']) await ask(204, 'DELETE', `/${path}`)
  for (const path of ['documents/101', 'folders/101']) await ask(409, 'DELETE', `/${path}`)
  for (const id of [...outOfReach, 202, 2])
    for (const path of [`documents/${id}`, `remarks/${id},1`, `folders/${id}`])
      await ask(404, 'DELETE', `/${path}`)
}

/** Forms with files, the addresses of these, and what goes with a record that holds one. */
const filing = async ({ send }: Both): Promise<void> => {
  const sendForm = (status: number, method: string, path: string, parts: Readonly<Record<string, string>>) =>
    send({ status, method, path, ...form(parts) })
  const made = await sendForm(201, 'POST', '/documents/', { title: 'of a form', folderId: '102' })
  await sendForm(422, 'POST', '/documents/', { title: 'of a form', folderId: '201' })
  await sendForm(403, 'POST', '/documents/', { title: 'of a form', tenantId: '2' })
  for (const method of ['GET', 'HEAD'])
    for (const path of [madeAt, fileOf, unsigned]) await send({ method, path, from: made, status: 200 })
  await send({ method: 'GET', path: unsigned, from: made, status: 206, headers: { range: 'bytes=2-3' } })
  for (const id of [...outOfReach, 101]) {
    const path = (told: Told) => unsigned(told).replace(/documents\/\d+/, `documents/${id}`)
    await send({ method: 'GET', path, from: made, status: 404 })
  }
  for (const method of ['PATCH', 'PUT']) {
    const shown = { title: 'with a file', folderId: '102' }
    const changed = await sendForm(200, method, '/documents/102', shown)
    await send({ method: 'GET', path: unsigned, from: changed, status: 404 })
    await sendForm(422, method, '/documents/102', { ...shown, folderId: '201' })
    await sendForm(403, method, '/documents/102', { ...shown, tenantId: '2' })
    for (const id of outOfReach) await sendForm(404, method, `/documents/${id}`, shown)
  }
  // What a reply said of a file can be sent back.
  const held = await send({ method: 'GET', path: '/documents/102', status: 200 })
  for (const method of ['PATCH', 'PUT'])
    for (const [id, status] of [
      ...[102 as const].map((own) => [own, 200] as const),
      ...outOfReach.map((out) => [out, 404] as const),
    ])
      await send({
        ...{ method, path: `/documents/${id}`, status, from: held },
        body: (told: Told) => ({ title: 'x', content: jsonOf(told)['content'] }),
      })
  await send({ method: 'DELETE', path: '/documents/102', status: 409 })
  await send({ method: 'DELETE', path: madeAt, from: made, status: 204 })
  await send({ method: 'GET', path: unsigned, from: made, status: 404 })
}

/** Everything that one can do with records and their files. None of it changes what others have. */
export const everyAct = async (both: Both, worlds: Worlds): Promise<void> => {
  const ask = askingOf(both)
  for (const act of [
    () => reading(ask, worlds),
    () => creating(ask),
    () => changing(ask),
    () => deleting(ask),
    () => filing(both),
  ]) {
    await refillWorlds(worlds)
    const before = await ofOthers(worlds)
    await act()
    expect(await ofOthers(worlds)).toEqual(before)
  }
}
