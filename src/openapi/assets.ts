import { readFileSync } from 'node:fs'
import { once } from './once.ts'
import { fromGzip, fromText, type StaticBody } from './static-body.ts'

const read = (path: string): Buffer => {
  try {
    return readFileSync(new URL(`./viewer/${path}`, import.meta.url))
  } catch (cause) {
    throw new Error(`The documentation viewer lacks ${path}. In a checkout, npm run build makes it.`, {
      cause,
    })
  }
}

const script = 'text/javascript; charset=utf-8'

export type AssetName = 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'initialise.js'

/** The files that the page loads, by name: read when first asked for. */
export const assets: Readonly<Record<AssetName, () => StaticBody>> = {
  'swagger-ui.css': once(() => fromGzip('text/css; charset=utf-8', read('swagger-ui/swagger-ui.css.gz'))),
  'swagger-ui-bundle.js': once(() => fromGzip(script, read('swagger-ui/swagger-ui-bundle.js.gz'))),
  'initialise.js': once(() => fromText(script, read('initialise.js').toString())),
}

export const isAsset = (name: string): name is AssetName => Object.hasOwn(assets, name)
