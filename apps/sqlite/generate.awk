# SPDX-License-Identifier: MIT
#
# Input of the SQLite job: a year of readings of a network of weather stations, as it comes in practice, with gaps,
# duplicates and nonsense: awk -v dir=DIR -f generate.awk writes stations.csv, readings.csv and log.csv there.
# Invariant: integers below 2^53 only, so every awk writes the same bytes.

function random(limit) {
	state = (state * 16807) % 2147483647
	return int(state / 127773) % limit
}

# A number of tenths or hundredths, given as an integer.
function decimal(value, places,    sign, unit) {
	sign = value < 0 ? "-" : ""
	value = value < 0 ? -value : value
	unit = 10 ^ places
	return sprintf("%s%d.%0" places "d", sign, int(value / unit), value % unit)
}

function write_stations(    i) {
	print "id,name,region,elevation_m,meta" >(dir "/stations.csv")
	for (i = 1; i <= stations; i++) {
		elevation[i] = random(2400)
		printf "%d,%s %d,%s,%d,\"{\"\"sensor\"\":\"\"%s\"\",\"\"calibrated\"\":%d,\"\"lat\"\":%s,\"\"lon\"\":%s}\"\n", i,
			place[1 + random(places)], i, region[1 + i % regions], elevation[i], sensor[1 + random(sensors)],
			2010 + random(14), decimal(4600 + random(800), 2), decimal(700 + random(900), 2) >(dir "/stations.csv")
	}
}

# The year as a triangle: coldest in January, warmest in July; colder by 6.5 degrees for each kilometre of height.
function temperature(i, day,    season) {
	season = day < 196 ? day : 391 - day
	return -30 + int(season * 23 / 20) - int(elevation[i] * 65 / 1000) + random(81) - 40
}

function write_reading(i, day, nonsense) {
	printf "%d,%d,%s,%s,%d\n", i, day, nonsense ? "9999.9" : decimal(temperature(i, day), 1),
		random(3) ? "0.0" : decimal(random(260), 1), 20 + random(80) >(dir "/readings.csv")
}

function write_readings(    day, i) {
	print "station,day,temperature,rain_mm,humidity" >(dir "/readings.csv")
	for (day = 0; day < 365; day++)
		for (i = 1; i <= stations; i++) {
			if (random(100) == 0)
				continue
			write_reading(i, day, random(700) == 0)
			if (random(250) == 0)
				write_reading(i, day, 0)
		}
}

function write_log(    n) {
	print "station,day,message" >(dir "/log.csv")
	for (n = 0; n < 2500; n++)
		printf "%d,%d,\"%s of the %s, %s\"\n", 1 + random(stations), random(365), action[1 + random(actions)],
			part[1 + random(parts)], remark[1 + random(remarks)] >(dir "/log.csv")
}

BEGIN {
	state = 20240601
	stations = 90
	regions = split("coast,plain,valley,hills,alps", region, ",")
	places = split("Birch,Marsh,Stone,Mill,Crow,Linden,Harbour,Chapel", place, ",")
	sensors = split("PT100,SHT35,DS18B20", sensor, ",")
	actions = split("replacement,inspection,cleaning,failure,calibration", action, ",")
	parts = split("rain gauge,thermometer,battery,solar panel,radio link,mast", part, ",")
	remarks = split("nothing found,after lightning,water in the housing,spider webs removed,as planned,frozen", remark, ",")
	write_stations()
	write_readings()
	write_log()
}
