import { bundle } from './bundle.ts'

await bundle(
  { main: 'sync-server/app/server-main.ts', 'picture-child': 'sync-server/pictures/picture-child.ts' },
  'dist/server',
)
