import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { begin } from './begin.ts'
import { followUpdates } from '../device/app-update.ts'
import { followInstall } from '../device/install.ts'
import { followTheme } from '../device/theme.ts'
import { App, loadScreenAhead } from './router.tsx'
import { watchErrors } from '../device/errors/watch-errors.ts'
import '../styles.css'

watchErrors()
followTheme()
followInstall()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// What a boundary contains is an error all the same.
createRoot(root, { onCaughtError: reportError }).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

loadScreenAhead(location.pathname)
void begin().catch(() => undefined)
followUpdates()
