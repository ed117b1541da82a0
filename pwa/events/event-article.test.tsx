import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { ApplyLink } from './event-article.tsx'

it.each([
  ['a guest', null, '/events/7/apply', 'Apply to be a Beacon'],
  ['its Beacon', { label: 'You’re a Beacon: your page', to: '/own' }, '/own', 'You’re a Beacon: your page'],
] as const)('an event’s page leads %s further', (_who, standing, address, words) => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <ApplyLink event={{ id: 7 }} standing={standing} isQuiet={false} />
    </MemoryRouter>,
  )
  expect(/href="([^"]+)"/.exec(html)?.[1]).toBe(address)
  expect(html.replace(/<[^>]*>/g, '')).toBe(words)
})
