import type { PlaywrightTestConfig } from 'playwright/test'
import journeys from './playwright.config.ts'

/** Pictures are taken as journeys are made: of the built app, on servers and databases of their own. */
const pictures: PlaywrightTestConfig = {
  ...journeys,
  testMatch: '**/take-screenshots.ts',
  projects: [{}],
  timeout: 900_000,
}

export default pictures
