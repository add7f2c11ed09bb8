import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { bundle } from './bundle.ts'
import { vendorViewer } from './vendor-viewer.ts'

// Beside the sources too, where the tests run: the same relative path finds the viewer in both places.
vendorViewer('src/openapi/viewer/swagger-ui')

rmSync('dist', { recursive: true, force: true })
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' })
await bundle('dist')
cpSync('src/openapi/viewer', 'dist/openapi/viewer', { recursive: true })
// A new project gets them as they are.
cpSync('src/cli/templates', 'dist/cli/templates', { recursive: true })
// Where a project links to this folder, npm sets it once, and the next build would undo it.
chmodSync('dist/cli/main.js', 0o755)
