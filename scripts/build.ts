import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { bundle } from './bundle.ts'
import { vendorViewer } from './vendor-viewer.ts'

// Beside the sources too, where the tests run: the same relative path finds the viewer in both places.
vendorViewer('src/openapi/viewer/swagger-ui')

// A program that runs from dist, or another build, never finds half of it.
const made = `node_modules/.cache/modelrest/build-${process.pid}`
rmSync(made, { recursive: true, force: true })
mkdirSync(made, { recursive: true })
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', made], { stdio: 'inherit' })
await bundle(made)
cpSync('src/openapi/viewer', `${made}/openapi/viewer`, { recursive: true })
// A new project gets them as they are.
cpSync('src/cli/templates', `${made}/cli/templates`, { recursive: true })
// Where a project links to this folder, npm sets it once, and the next build would undo it.
chmodSync(`${made}/cli/main.js`, 0o755)
const former = `${made}-former`
if (existsSync('dist')) renameSync('dist', former)
renameSync(made, 'dist')
rmSync(former, { recursive: true, force: true })
