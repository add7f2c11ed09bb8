import type { FieldIn, NameIn } from '../model/model-types.ts'

/** What an application says of files. */
export interface FileOptions<Types = unknown> {
  /** Model name -> text fields that hold files, beside those that are detected. @default none */
  readonly fileFields?: { readonly [Name in NameIn<Types>]?: readonly FieldIn<Types, Name>[] }
  /**
   * Model name -> whether its create and update take `multipart/form-data`. @default as `fileFields` and `autoMultipart`
   * say
   */
  readonly useMultipart?: {
    readonly [Name in NameIn<Types>]?: { readonly create?: boolean; readonly update?: boolean }
  }
  /** Detect the columns that `file()` and `image()` have made. `false` leaves them text. @default true */
  readonly autoDetectFiles?: boolean
  /** Take `multipart/form-data` for models with detected file fields. @default true */
  readonly autoMultipart?: boolean
}
