import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/**
 * The viewer of `/docs`, out of swagger-ui-dist. It is copied because a dependency on that package would bring the
 * install script of `@scarf/scarf` to every user, and 11 MB of builds that the page does not load.
 */
const source = 'node_modules/swagger-ui-dist'
const packed = ['swagger-ui-bundle.js', 'swagger-ui.css']
const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']

/** Fills a folder with the viewer's files (gzip, as they are served) and its licences. */
export const vendorViewer = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of packed) {
    writeFileSync(`${folder}/${file}.gz`, gzipSync(readFileSync(`${source}/${file}`), { level: 9 }))
  }
  for (const file of licences) copyFileSync(`${source}/${file}`, `${folder}/${file}`)
}
