import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { naming } from '../../naming.ts'
import { skipWithout, tag } from '../../needed-program.ts'
import { program } from '../folders.ts'
import { succeed } from '../shell.ts'
import { projectAt, serve, withNode } from './project.ts'
import { registryOf } from './registry.ts'

const tarball = inject('tarball')
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

const folders: string[] = []
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true })
})

const newFolder = (parent = tmpdir()): string => {
  mkdirSync(parent, { recursive: true })
  const path = mkdtempSync(join(parent, 'modelrest-init-'))
  folders.push(path)
  return path
}

const dependencyOf = (project: string): unknown =>
  JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).dependencies.modelrest

test('from a checkout, the project depends on it, and serves', { tags: [tag] }, async (context) => {
  skipWithout(context, 'registry')
  const folder = newFolder()
  const main = resolve('dist/cli/main.js')
  const told = await succeed(`${program('node')} ${main} startproject 'a b/shop'`, folder)
  expect(told).toContain(`  cd 'a b/shop'\n`)
  expect(told).toMatch(naming(resolve('.')))
  const project = projectAt(join(folder, 'a b/shop'))
  expect(dependencyOf(project.path)).toBe(`file:${resolve('.')}`)
  await succeed('npm install --omit=dev', project.path, withNode)
  // Without development dependencies, a project has no Node of its own.
  expect(existsSync(join(project.path, 'node_modules/.bin/node'))).toBe(false)
  const serving = await serve(project, 'env NODE_ENV=production node src/server.ts', withNode)
  try {
    const created = await serving.ask('POST', '/api/items/', { name: 'Lamp' })
    expect(created).toMatchObject({ status: 201, body: { id: 1, slug: 'lamp' } })
    expect((await serving.ask('GET', '/api/openapi.json')).body).toMatchObject({ info: { title: 'Shop' } })
  } finally {
    await serving.stop()
  }
})

test('from a registry, the project depends on a range of versions', async () => {
  const registry = await registryOf(tarball, 'modelrest', version)
  try {
    // Below this repository, where what the program depends on is found without that registry.
    const folder = newFolder(resolve('test/.tmp'))
    // Without it npm would install into this repository.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    await succeed(`npm install modelrest --registry ${registry.url}`, folder, withNode)
    await succeed('npx modelrest init shop', folder, withNode)
    expect(dependencyOf(join(folder, 'shop'))).toBe(`^${version}`)
  } finally {
    await registry.close()
  }
})
