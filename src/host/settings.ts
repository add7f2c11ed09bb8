import type { SettingRow } from '../error/setting.ts'

/** Settings of the application's own routes. */
export interface HostSettings {
  /**
   * Middleware of the application's own routes. `ProcessPutPatchMiddleware` parses forms of PUT and PATCH as those of POST;
   * on Fastify, routes with `preParsing: readForm` read them. @default nothing
   */
  readonly MIDDLEWARE?: readonly Middleware[]
}

/** The name of a middleware. */
export type Middleware = 'ProcessPutPatchMiddleware'

export const hostSettings: { readonly [Name in keyof Required<HostSettings>]: SettingRow } = {
  MIDDLEWARE: {
    type: 'list of strings',
    among: ['ProcessPutPatchMiddleware'] satisfies readonly Middleware[],
    otherwise: 'nothing',
    meaning:
      "Middleware of the application's own routes: `ProcessPutPatchMiddleware` parses forms of PUT and PATCH as those of POST; on Fastify, routes with `preParsing: readForm` read them.",
  },
}
