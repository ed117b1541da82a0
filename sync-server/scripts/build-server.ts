import { bundle } from './bundle.ts'

await bundle({ main: 'sync-server/app/main.ts' }, 'dist/server')
