import { existsSync } from 'node:fs'
import { vendorViewer } from '../scripts/vendor-viewer.ts'

const viewer = 'src/openapi/viewer/swagger-ui'

/** `/docs` needs the viewer, which a fresh clone does not have before its first build. */
export const setup = (): void => {
  if (!existsSync(viewer)) vendorViewer(viewer)
}
