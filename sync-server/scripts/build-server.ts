import { bundle } from './bundle.ts'

await bundle({ main: 'sync-server/app/server-main.ts' }, 'dist/server')
