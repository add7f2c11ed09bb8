import { isBuiltin } from 'node:module'
import { rolldown } from 'rolldown'

/** A file with all that it imports. */
export interface Bundle {
  readonly code: string
  /** The modules that it still imports, once loaded or later. */
  readonly imports: readonly string[]
  /** The packages that are in it. */
  readonly packages: readonly string[]
}

/** Bundles a file as bundlers for Workers do. @param installed packages that stay outside */
export const bundled = async (input: string, installed: readonly string[] = []): Promise<Bundle> => {
  const isInstalled = (id: string): boolean => installed.some((name) => `${id}/`.startsWith(`${name}/`))
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: (id) => isBuiltin(id) || isInstalled(id),
    resolve: { conditionNames: ['workerd', 'worker'] },
    // Optional packages that are not installed.
    onLog: () => undefined,
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  const [{ code, fileName, imports, dynamicImports, modules }] = output
  const packages = Object.entries(modules).flatMap(([id, { renderedLength }]) => {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? []
    return name === undefined || renderedLength === 0 ? [] : [name]
  })
  return {
    code,
    imports: [...new Set([...imports, ...dynamicImports])].filter((name) => name !== fileName).toSorted(),
    packages: [...new Set(packages)].toSorted(),
  }
}
