// Loaded into a measured process before its program: answers the bytes that it holds after a garbage collection.
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Processes that the program starts are not measured.
delete process.env['NODE_OPTIONS']
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

createServer((request, response) => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  response.end(String(heapUsed + external))
})
  .listen(Number(process.env['BENCH_MEMORY_PORT']), '127.0.0.1')
  .unref()
