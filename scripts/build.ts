import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { bundle, published } from './bundle.ts'
import { keepShownTypes } from './shown-types.ts'
import { vendorViewer } from './vendor-viewer.ts'

// Beside the sources too, where the tests run: the same relative path finds the viewer in both places.
vendorViewer('src/openapi/viewer/swagger-ui')

// A program that runs from dist, or another build, never finds half of it.
const made = `node_modules/.cache/modelrest/build-${process.pid}`
const former = `${made}-former`
try {
  execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', made], { stdio: 'inherit' })
  await bundle(made)
  keepShownTypes(made, published())
  cpSync('src/openapi/viewer', `${made}/openapi/viewer`, { recursive: true })
  // A new project gets them as they are.
  cpSync('src/cli/templates', `${made}/cli/templates`, { recursive: true })
  // Where a project links to this folder, npm sets it once, and the next build would undo it.
  for (const program of ['cli', 'prisma-generator']) chmodSync(`${made}/${program}/main.js`, 0o755)
  if (existsSync('dist')) renameSync('dist', former)
  renameSync(made, 'dist')
} finally {
  for (const folder of [made, former]) rmSync(folder, { recursive: true, force: true })
}
