import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';

const SCHEMES: Record<MantineColorScheme, string> = { light: 'Light', dark: 'Dark', auto: 'As the system' };

/** In a menu: the colours of the pages. The browser keeps the choice. */
export function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup
      value={colorScheme}
      onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      aria-label="Colours"
    >
      {Object.entries(SCHEMES).map(([scheme, label]) => (
        <Menu.RadioItem key={scheme} value={scheme}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
