import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { begin } from './begin.ts'
import { followUpdates } from '../device/app-update.ts'
import { followInstall } from '../device/install.ts'
import { followTheme } from '../device/theme.ts'
import { App } from './router.tsx'
import '../styles.css'

followTheme()
followInstall()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

void begin().catch(() => undefined)
followUpdates()
