// Programs that tests fork would take over the flags of their process, and memory that tests measure with them.
process.execArgv = process.execArgv.filter((flag) => !flag.startsWith('--max-semi-space-size'))
