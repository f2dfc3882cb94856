import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Paper, Table, Text, VisuallyHidden } from '@mantine/core';
import type { DayOfWallet } from '../../api/contract.ts';
import { Figures } from '../../components/amount.tsx';
import { type AssetFields, unitOf } from '../../text/asset.ts';
import { formatInteger, formatUnits } from '../../text/money.ts';

const HEIGHT_PX = 240;
const SERIES = [
  { name: 'deposits', color: 'teal.6' },
  { name: 'withdrawals', color: 'indigo.5' },
];

const dayOfMonth = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

const sayDay = (date: string) => dayOfMonth.format(new Date(`${date}T00:00:00Z`));
/** For the height of a bar only: the figures are exact. */
const roughly = (stroops: bigint) => Number(stroops) / 1e7;

/** Loaded after the page, by its default export. */
export default function FlowChart({ days, asset }: { days: DayOfWallet[]; asset: AssetFields }) {
  const data = days.map((day) => ({
    date: day.date,
    deposits: roughly(day.deposits_stroops),
    withdrawals: roughly(day.withdrawals_stroops),
  }));
  return (
    <>
      <div aria-hidden="true">
        <BarChart
          h={HEIGHT_PX}
          data={data}
          dataKey="date"
          series={SERIES}
          valueFormatter={(value) => compact.format(value)}
          xAxisProps={{ tickFormatter: sayDay, minTickGap: 24, interval: 'equidistantPreserveStart' }}
          yAxisProps={{ width: 56 }}
          tooltipProps={{
            content: ({ label }) => <DayTip day={days.find(({ date }) => date === label)} asset={asset} />,
          }}
          barChartProps={{ accessibilityLayer: false }}
          maxBarWidth={28}
        />
      </div>
      <DayTable days={days} unit={unitOf(asset)} />
    </>
  );
}

function DayTip({ day, asset }: { day: DayOfWallet | undefined; asset: AssetFields }) {
  if (!day) return null;
  return (
    <Paper withBorder shadow="md" p="xs">
      <Text size="sm" fw={600}>
        {sayDay(day.date)}
      </Text>
      <Text size="sm">
        Deposits: <Figures stroops={day.deposits_stroops} asset={asset} /> (
        {formatInteger(day.deposits_count)})
      </Text>
      <Text size="sm">
        Withdrawals: <Figures stroops={day.withdrawals_stroops} asset={asset} /> (
        {formatInteger(day.withdrawals_count)})
      </Text>
      {asset.asset_issuer === null && (
        <Text size="sm">
          Fees: <Figures stroops={day.fees_stroops} />
        </Text>
      )}
    </Paper>
  );
}

/** The chart as a table for screen readers, without days that have nothing. */
function DayTable({ days, unit }: { days: DayOfWallet[]; unit: string }) {
  const busy = days.filter((day) => day.deposits_count + day.withdrawals_count > 0);
  return (
    <VisuallyHidden>
      <Table>
        <caption>Deposits and withdrawals in {unit} by day. Days without any are left out.</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Deposits</th>
            <th scope="col">Withdrawals</th>
          </tr>
        </thead>
        <tbody>
          {busy.map((day) => (
            <tr key={day.date}>
              <th scope="row">{sayDay(day.date)}</th>
              <td>{formatUnits(day.deposits_stroops)}</td>
              <td>{formatUnits(day.withdrawals_stroops)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </VisuallyHidden>
  );
}
