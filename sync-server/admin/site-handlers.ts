import type { Knex } from 'knex'
import type { Site } from '#shared/admin/site-calls.ts'
import type { Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import type { SiteSettingRow } from '../db/rows/operation-rows.ts'

async function readSite(db: Knex, contactEmail: string | null): Promise<Site> {
  const rows = new Map((await db('site_settings')).map((row) => [row.name, row]))
  const valueOf = (name: SiteSettingRow['name']) => rows.get(name)?.value ?? null
  const legalText = (name: 'privacy' | 'terms') => {
    const row = rows.get(name)
    return row ? { text: row.value, updatedDate: row.updatedAt.toISOString().slice(0, 10) } : null
  }
  return {
    operator: valueOf('operator'),
    supportEmail: valueOf('supportEmail') ?? contactEmail,
    imprint: valueOf('imprint'),
    privacy: legalText('privacy'),
    terms: legalText('terms'),
  }
}

export const siteHandlers = {
  getSite: async ({ db, config }) => await readSite(db, config.contactEmail),

  saveSite: async ({ db, body, config, now }) => {
    for (const [name, value] of Object.entries(body) as [SiteSettingRow['name'], string | null][]) {
      if (value === null) await db('site_settings').where({ name }).del()
      else
        await db('site_settings')
          .insert({ name, value, updatedAt: now })
          .onConflict('name')
          .merge()
          // A legal text shows the day of its last change.
          .whereRaw('site_settings.value is distinct from excluded.value')
    }
    return await readSite(db, config.contactEmail)
  },

  savePlan: async ({ db, params, body: { name, description, dollars } }) => {
    const changed = await db('subscription_plans')
      .where({ id: params.id })
      .update({ name, description, priceCents: dollars * 100 })
    if (changed === 0) throw new ProblemError('not_found', 'There is no such plan.')
    return undefined
  },
} satisfies Partial<Handlers>
