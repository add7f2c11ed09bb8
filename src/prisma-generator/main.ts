#!/usr/bin/env node
import { generate } from './generate.ts'

const installed = async () => {
  try {
    return (await import('@prisma/generator-helper')).default
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write(
      'modelrest-prisma needs @prisma/generator-helper. Install its version 7: npm install --save-dev @prisma/generator-helper@7\n',
    )
    process.exit(1)
  }
}

const { generatorHandler } = await installed()
generatorHandler({
  onManifest: () => ({ prettyName: 'models for modelrest', defaultOutput: 'generated/modelrest' }),
  onGenerate: generate,
})
